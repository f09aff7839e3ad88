#!/bin/bash
mkdir -p /logs/verifier
[ "$(cat /app/answer)" = done ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
