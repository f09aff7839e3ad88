//! Which trial when? Schedule, admission, execution, retry, resume, agents.
