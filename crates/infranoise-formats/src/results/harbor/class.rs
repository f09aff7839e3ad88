//! What Harbor's exception classes mean: the class says where to look, the message and the phase decide.

use infranoise_core::Cause;

/// What a class is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A time limit of the phase passed.
    TimeOut,
    /// The agent's program ended with an error of its own.
    AgentExit,
    /// The agent's own doing in another way: context window, refusals.
    Agent(Cause),
    /// The model API, as the harness's own client says, or as a pattern found it in the agent's output.
    Api(Cause),
    /// The network, likewise.
    Network,
    /// The sandbox or its engine failed.
    Engine(Cause),
    /// A watchdog or the engine ended the sandbox for its memory.
    MemoryLimit,
    /// A guess from exit code 137.
    LikelyMemory,
    /// The verifier left no reward.
    RewardMissing,
    /// The verifier left something that is none.
    RewardGarbled,
    /// A person or a signal stopped the job.
    Cancelled,
    /// The person's configuration: credentials, a model that does not exist.
    Configuration,
    /// A name that no table holds.
    Unknown,
}

/// The classes by name.
const CLASSES: &[(&str, Class)] = &[
    ("AgentTimeoutError", Class::TimeOut),
    ("VerifierTimeoutError", Class::TimeOut),
    ("AgentSetupTimeoutError", Class::TimeOut),
    ("EnvironmentStartTimeoutError", Class::TimeOut),
    ("NonZeroAgentExitCodeError", Class::AgentExit),
    ("ContextWindowExceededError", Class::Agent(Cause::AgentError)),
    ("ContextLengthExceededError", Class::Agent(Cause::AgentError)),
    ("OutputTokenExceededError", Class::Agent(Cause::AgentError)),
    ("OutputLengthExceededError", Class::Agent(Cause::AgentError)),
    ("AgentSafetyRefusalError", Class::Agent(Cause::AgentError)),
    ("ContentPolicyViolationError", Class::Agent(Cause::AgentError)),
    ("ApiRateLimitError", Class::Api(Cause::ApiRateLimit)),
    ("RateLimitError", Class::Api(Cause::ApiRateLimit)),
    ("ApiUsageLimitError", Class::Api(Cause::ApiRateLimit)),
    ("ApiResponseStalledError", Class::Api(Cause::ApiStall)),
    ("Timeout", Class::Api(Cause::ApiStall)),
    ("ApiError", Class::Api(Cause::ApiError)),
    ("ApiInternalServerError", Class::Api(Cause::ApiError)),
    ("ApiOverloadedError", Class::Api(Cause::ApiError)),
    ("ApiConnectionClosedError", Class::Api(Cause::ApiError)),
    ("ApiConnectionError", Class::Api(Cause::ApiError)),
    ("UnknownApiError", Class::Api(Cause::ApiError)),
    ("InternalServerError", Class::Api(Cause::ApiError)),
    ("ServiceUnavailableError", Class::Api(Cause::ApiError)),
    ("APIConnectionError", Class::Api(Cause::ApiError)),
    ("APIError", Class::Api(Cause::ApiError)),
    ("NetworkConnectionError", Class::Network),
    ("SandboxBuildFailedError", Class::Engine(Cause::BuildFailed)),
    ("HealthcheckError", Class::Engine(Cause::StartFailed)),
    ("SSHAccessError", Class::Engine(Cause::EngineError)),
    ("GKEExecStreamClosedError", Class::Engine(Cause::SandboxGone)),
    ("GKEPodNotFoundError", Class::Engine(Cause::SandboxGone)),
    ("DaytonaSandboxStopError", Class::Engine(Cause::SandboxGone)),
    ("RuntimeRequestError", Class::Engine(Cause::EngineError)),
    ("AddTestsDirError", Class::Engine(Cause::EngineError)),
    ("DownloadVerifierDirError", Class::Engine(Cause::EngineError)),
    ("ImageRegistryUnavailableError", Class::Engine(Cause::ImagePull)),
    ("ImageMirrorError", Class::Engine(Cause::ImagePull)),
    ("MemoryLimitExceededError", Class::MemoryLimit),
    ("SandboxLikelyOutOfMemoryError", Class::LikelyMemory),
    ("RewardFileNotFoundError", Class::RewardMissing),
    ("RewardFileEmptyError", Class::RewardGarbled),
    ("VerifierOutputParseError", Class::RewardGarbled),
    ("CancelledError", Class::Cancelled),
    ("KeyboardInterrupt", Class::Cancelled),
    ("AgentAuthenticationError", Class::Configuration),
    ("AuthenticationError", Class::Configuration),
    ("PermissionDeniedError", Class::Configuration),
    ("ModelNotFoundError", Class::Configuration),
    ("ApiProviderResourceNotFoundError", Class::Configuration),
    ("BudgetExceededError", Class::Configuration),
    ("MissingExtraError", Class::Configuration),
];

/// What a class of this name means.
pub(super) fn class(name: &str) -> Class {
    CLASSES.iter().find(|(known, _)| *known == name).map_or(Class::Unknown, |(_, class)| *class)
}

/// What the engine's own words say about a start that failed. They come from the engine before any agent was there.
pub(in crate::results) fn start_failure(message: &str) -> Cause {
    /// In order: the more special first.
    const WORDS: &[(&str, Cause)] = &[
        ("no space left on device", Cause::DiskFull),
        ("toomanyrequests", Cause::ImagePull),
        ("429 too many requests", Cause::ImagePull),
        ("failed to pull image", Cause::ImagePull),
        ("initializing source docker://", Cause::ImagePull),
        ("trying to pull", Cause::ImagePull),
        ("failed to resolve source metadata", Cause::ImagePull),
        ("manifest unknown", Cause::ImagePull),
        ("pull access denied", Cause::ImagePull),
        ("failed to solve", Cause::BuildFailed),
        ("error building at step", Cause::BuildFailed),
        ("insufficient memory", Cause::Unschedulable),
        ("insufficient cpu", Cause::Unschedulable),
        ("failedscheduling", Cause::Unschedulable),
        ("evicted", Cause::Eviction),
        ("preempt", Cause::Preemption),
    ];
    let message = message.to_lowercase();
    WORDS.iter().find(|(words, _)| message.contains(words)).map_or(Cause::StartFailed, |(_, cause)| *cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_once() {
        let mut names: Vec<&str> = CLASSES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CLASSES.len());
        assert_eq!(class("ValueError"), Class::Unknown);
    }

    #[test]
    fn the_engine_says_why_it_could_not_start() {
        let cases = [
            ("Trying to pull localhost/x… connection refused", Cause::ImagePull),
            ("unable to start container \"f\": crun: setrlimit", Cause::StartFailed),
            ("write /var/lib: no space left on device", Cause::DiskFull),
            ("failed to solve: process \"/bin/sh -c pip\" did not complete", Cause::BuildFailed),
            ("all predefined address pools have been fully subnetted", Cause::StartFailed),
        ];
        for (message, cause) in cases {
            assert_eq!(start_failure(message), cause, "{message}");
        }
    }
}
