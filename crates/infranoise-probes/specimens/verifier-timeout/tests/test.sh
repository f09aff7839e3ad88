#!/bin/sh
/opt/infranoise/probe sleep --ms 60000
