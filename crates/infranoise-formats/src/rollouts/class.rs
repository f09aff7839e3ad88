//! What exception classes of harnesses, model clients and schedulers are about. A class says where to look; where other explanations fit
//! too, the verdict is that it cannot be known.

use infranoise_core::{Cause, Phase};

/// What a class is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A time limit of the phase passed.
    TimeOut,
    /// The agent's program ended with an error of its own.
    AgentExit,
    /// The agent's own doing in another way: context window, refusals.
    Agent,
    /// The model API, as the harness's own client says.
    Api(Cause),
    /// The network, as the harness's own client says.
    Network(Cause),
    /// The sandbox, its engine or its node failed.
    Engine(Cause),
    /// A watchdog or the engine ended the sandbox for its memory.
    MemoryLimit,
    /// A guess from exit code 137.
    LikelyMemory,
    /// Memory of the node ran out; whose doing that was is not said.
    NodeMemory,
    /// The verifier left no reward.
    RewardMissing,
    /// The verifier left something that is none.
    RewardGarbled,
    /// A person or a signal stopped it.
    Cancelled,
    /// A name that no table holds.
    Unknown,
}

use Cause::{
    ApiError, ApiRateLimit, ApiStall, BuildFailed, Dns, EngineError, Eviction, ImagePull, Network, NodeLost,
    Preemption, SandboxGone, StartFailed, Unschedulable,
};
use Class as C;
use Phase::{Agent, Build, Pull, Setup, Start, Verify};

/// Classes by name, with the phase that the name itself tells. A name with dots is that class of that module alone.
pub(super) const CLASSES: &[(&str, Class, Option<Phase>)] = &[
    ("AgentTimeoutError", C::TimeOut, Some(Agent)),
    ("AgentSetupTimeoutError", C::TimeOut, Some(Setup)),
    ("EnvironmentStartTimeoutError", C::TimeOut, Some(Start)),
    ("VerifierTimeoutError", C::TimeOut, Some(Verify)),
    ("NonZeroAgentExitCodeError", C::AgentExit, Some(Agent)),
    ("ContextWindowExceededError", C::Agent, Some(Agent)),
    ("ContextLengthExceededError", C::Agent, Some(Agent)),
    ("OutputTokenExceededError", C::Agent, Some(Agent)),
    ("OutputLengthExceededError", C::Agent, Some(Agent)),
    ("AgentSafetyRefusalError", C::Agent, Some(Agent)),
    ("ContentPolicyViolationError", C::Agent, Some(Agent)),
    ("ApiRateLimitError", C::Api(ApiRateLimit), None),
    ("ApiUsageLimitError", C::Api(ApiRateLimit), None),
    ("RateLimitError", C::Api(ApiRateLimit), None),
    ("TooManyRequests", C::Api(ApiRateLimit), None),
    ("ApiResponseStalledError", C::Api(ApiStall), None),
    ("APITimeoutError", C::Api(ApiStall), None),
    ("litellm.Timeout", C::Api(ApiStall), None),
    ("litellm.exceptions.Timeout", C::Api(ApiStall), None),
    ("ApiError", C::Api(ApiError), None),
    ("ApiInternalServerError", C::Api(ApiError), None),
    ("ApiOverloadedError", C::Api(ApiError), None),
    ("ApiConnectionClosedError", C::Api(ApiError), None),
    ("ApiConnectionError", C::Api(ApiError), None),
    ("UnknownApiError", C::Api(ApiError), None),
    ("APIConnectionError", C::Api(ApiError), None),
    ("APIError", C::Api(ApiError), None),
    ("InternalServerError", C::Api(ApiError), None),
    ("OverloadedError", C::Api(ApiError), None),
    ("ServiceUnavailableError", C::Api(ApiError), None),
    ("BadGatewayError", C::Api(ApiError), None),
    ("AuthenticationError", C::Api(ApiError), None),
    ("AgentAuthenticationError", C::Api(ApiError), None),
    ("PermissionDeniedError", C::Api(ApiError), None),
    ("ModelNotFoundError", C::Api(ApiError), None),
    ("BudgetExceededError", C::Api(ApiError), None),
    ("NetworkConnectionError", C::Network(Network), None),
    ("ConnectionError", C::Network(Network), None),
    ("ConnectionResetError", C::Network(Network), None),
    ("ConnectionRefusedError", C::Network(Network), None),
    ("ConnectionAbortedError", C::Network(Network), None),
    ("ConnectError", C::Network(Network), None),
    ("ConnectTimeout", C::Network(Network), None),
    ("RemoteProtocolError", C::Network(Network), None),
    ("MaxRetryError", C::Network(Network), None),
    ("ServerDisconnectedError", C::Network(Network), None),
    ("ClientConnectorError", C::Network(Network), None),
    ("gaierror", C::Network(Dns), None),
    ("NameResolutionError", C::Network(Dns), None),
    ("ClientConnectorDNSError", C::Network(Dns), None),
    ("SandboxBuildFailedError", C::Engine(BuildFailed), Some(Build)),
    ("docker.errors.BuildError", C::Engine(BuildFailed), Some(Build)),
    ("docker.errors.ImageNotFound", C::Engine(ImagePull), Some(Pull)),
    ("docker.errors.APIError", C::Engine(EngineError), None),
    ("ImageRegistryUnavailableError", C::Engine(ImagePull), Some(Pull)),
    ("ImageMirrorError", C::Engine(ImagePull), Some(Pull)),
    ("HealthcheckError", C::Engine(StartFailed), Some(Start)),
    ("UnschedulableError", C::Engine(Unschedulable), Some(Start)),
    ("SSHAccessError", C::Engine(EngineError), None),
    ("RuntimeRequestError", C::Engine(EngineError), None),
    ("AddTestsDirError", C::Engine(EngineError), Some(Verify)),
    ("DownloadVerifierDirError", C::Engine(EngineError), Some(Verify)),
    ("GKEExecStreamClosedError", C::Engine(SandboxGone), None),
    ("GKEPodNotFoundError", C::Engine(SandboxGone), None),
    ("DaytonaSandboxStopError", C::Engine(SandboxGone), None),
    ("SandboxTerminatedError", C::Engine(SandboxGone), None),
    ("EvictedError", C::Engine(Eviction), None),
    ("PreemptedError", C::Engine(Preemption), None),
    ("NodeDiedError", C::Engine(NodeLost), None),
    ("WorkerCrashedError", C::Engine(NodeLost), None),
    ("ActorUnavailableError", C::Engine(EngineError), None),
    ("torch.OutOfMemoryError", C::Engine(EngineError), None),
    ("torch.cuda.OutOfMemoryError", C::Engine(EngineError), None),
    ("ray.exceptions.OutOfMemoryError", C::NodeMemory, None),
    ("MemoryLimitExceededError", C::MemoryLimit, None),
    ("SandboxLikelyOutOfMemoryError", C::LikelyMemory, None),
    ("RewardFileNotFoundError", C::RewardMissing, Some(Verify)),
    ("RewardFileEmptyError", C::RewardGarbled, Some(Verify)),
    ("VerifierOutputParseError", C::RewardGarbled, Some(Verify)),
    ("CancelledError", C::Cancelled, None),
    ("KeyboardInterrupt", C::Cancelled, None),
];

/// What a class of this name means, and the phase that its name tells: first with its module, then without.
pub(super) fn class(name: &str) -> (Class, Option<Phase>) {
    let last = name.rsplit('.').next().unwrap_or(name);
    let find = |wanted: &str| CLASSES.iter().find(|(known, ..)| *known == wanted);
    find(name).or_else(|| find(last)).map_or((Class::Unknown, None), |(_, class, phase)| (*class, *phase))
}

/// What the message of a class that nobody knows suggests. Words alone never decide: at most they say what it may have been.
pub(super) fn suggested(message: &str) -> Option<Cause> {
    const WORDS: &[(&str, Cause)] = &[
        ("no space left on device", Cause::DiskFull),
        ("rate limit", Cause::ApiRateLimit),
        ("too many requests", Cause::ApiRateLimit),
        ("overloaded", Cause::ApiError),
        ("name resolution", Cause::Dns),
        ("could not resolve", Cause::Dns),
        ("connection refused", Cause::Network),
        ("connection reset", Cause::Network),
        ("evicted", Cause::Eviction),
        ("preempt", Cause::Preemption),
        ("oomkilled", Cause::Oom),
        ("out of memory", Cause::Oom),
    ];
    let message = message.to_lowercase();
    WORDS.iter().find(|(words, _)| message.contains(words)).map(|(_, cause)| *cause)
}
