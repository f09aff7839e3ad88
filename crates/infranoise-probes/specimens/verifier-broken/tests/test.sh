#!/bin/sh
/tests/missing-checker
