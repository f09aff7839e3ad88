#!/bin/sh
answer=
[ -f /app/answer ] && read -r answer < /app/answer
reward=0
[ "$answer" = 1 ] && reward=1
echo "$reward" > /logs/verifier/reward.txt
