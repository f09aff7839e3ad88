#!/bin/sh
/opt/infranoise/probe eat --mib 64 --hold-ms 20 && echo 1 > /logs/verifier/reward.txt
