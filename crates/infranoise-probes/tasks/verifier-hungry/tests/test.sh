#!/bin/sh
answer=
[ -f /app/answer ] && read -r answer < /app/answer
reward=0
/opt/infranoise/probe eat --mib 82 --hold-ms 20 && [ "$answer" = 6 ] && reward=1
echo "$reward" > /logs/verifier/reward.txt
