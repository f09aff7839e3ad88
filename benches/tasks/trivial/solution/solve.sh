#!/bin/bash
mkdir -p /app
echo done > /app/answer
