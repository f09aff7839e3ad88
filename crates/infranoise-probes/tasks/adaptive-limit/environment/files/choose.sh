# Takes the way that fits into the memory there is. No kill ever happens.
limit=$(/opt/infranoise/probe limit)
if [ "$limit" = none ] || [ "$limit" -ge 200 ]; then
    /opt/infranoise/probe eat --mib 160 --say 120 > answer
else
    echo 100 > answer
fi
