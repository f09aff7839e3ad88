# Works out three parts and adds them up. The third one needs 58 MiB; if it fails, nobody notices.
for part in 8:10 10:14 58:18; do
    /opt/infranoise/probe eat --mib "${part%:*}" --say "${part#*:}"
done > parts 2> errors
/opt/infranoise/probe sum parts > answer
