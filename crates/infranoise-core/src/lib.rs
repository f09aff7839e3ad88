//! What is a trial? Types, resource policies and the classifier; pure.
