//! The methods by name: one closed list, from which names and scopes are made.

/// Which claim a method supports. The two are never mixed in one row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Scope {
    /// Would these same tasks score differently? Only the noise between repeats counts.
    TheseTasks,
    /// Would tasks like these score differently? The tasks are a sample.
    UnseenTasks,
    /// Totals whose tasks are unknown: trials are taken as independent.
    Totals,
    /// No claim about tasks (a correction, a design, a curve).
    None,
}

macro_rules! methods {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $scope:ident;)+) => {
        /// Which method made a number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Method {
            $($(#[doc = $doc])+ #[cfg_attr(feature = "serde", serde(rename = $name))] $variant,)+
        }

        impl Method {
            /// Every method, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name that documents and `stats eval` use.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The claim that the method supports.
            pub fn scope(self) -> Scope {
                match self { $(Self::$variant => Scope::$scope,)+ }
            }
        }
    };
}

methods! {
    /// Wilson score interval of a proportion.
    Wilson = "wilson", Totals;
    /// Equal-tailed interval from the Jeffreys prior.
    Jeffreys = "jeffreys", Totals;
    /// Exact interval of Clopper and Pearson.
    ClopperPearson = "clopper_pearson", Totals;
    /// Mean of task rates with a t interval.
    TaskMeanCi = "task_mean_ci", UnseenTasks;
    /// Wilson interval at the effective number of trials.
    WilsonNeff = "wilson_neff", UnseenTasks;
    /// Standard error of a score if the same tasks were tried again.
    SeedSe = "seed_se", TheseTasks;
    /// Mean over trials with a cluster-robust standard error.
    TrialMeanCluster = "trial_mean_cluster", UnseenTasks;
    /// Beta-binomial maximum likelihood with shrunken task rates.
    BetabinomMle = "betabinom_mle", UnseenTasks;
    /// Paired t test over tasks.
    PairedTaskT = "paired_task_t", UnseenTasks;
    /// Mean difference over tasks with the noise between repeats only.
    FixedTaskDifference = "fixed_task_difference", TheseTasks;
    /// Mantel-Haenszel chi-squared test and common odds ratio.
    Cmh = "cmh", TheseTasks;
    /// Exact conditional test and common odds ratio, stratified by task.
    CmhExact = "cmh_exact", TheseTasks;
    /// Conditional maximum likelihood of the common log odds ratio.
    CmhExactOr = "cmh_exact_or", TheseTasks;
    /// Exact sign-flip test of task differences.
    SignflipExact = "signflip_exact", UnseenTasks;
    /// Exact McNemar test.
    McnemarExact = "mcnemar_exact", TheseTasks;
    /// Mantel-Haenszel risk difference with the variance of Sato.
    MhRd = "mh_rd", TheseTasks;
    /// Exact interval of the difference where every task flipped whole.
    TotalFlip = "total_flip", TheseTasks;
    /// Task-wise linear contrast over ordered arms.
    TrendSlope = "trend_slope", UnseenTasks;
    /// Stratified linear-by-linear test of Mantel.
    MantelTrend = "mantel_trend", TheseTasks;
    /// Trend test of totals.
    CochranArmitage = "cochran_armitage", Totals;
    /// Isotonic regression.
    Pava = "pava", None;
    /// Unconditional exact test of Boschloo.
    Boschloo = "boschloo", Totals;
    /// Score interval of Miettinen and Nurminen.
    MnScoreCi = "mn_score_ci", Totals;
    /// Conditional exact test of Fisher.
    Fisher = "fisher", Totals;
    /// Logistic regression with the penalty of Firth, one binary factor.
    FirthLogit = "firth_logit", Totals;
    /// Step-down correction of Holm.
    Holm = "holm", None;
    /// Fixed-sequence correction.
    FixedSequence = "fixed_sequence", None;
    /// Two one-sided paired t tests.
    TostPaired = "tost_paired", UnseenTasks;
    /// Two one-sided tests with the noise between repeats only.
    TostFixedTasks = "tost_fixed_tasks", TheseTasks;
    /// Split of a score difference into noise removed and newly solved.
    Decompose = "decompose", UnseenTasks;
    /// The arm with the highest agent-failure rate.
    Crossover = "crossover", UnseenTasks;
    /// Piecewise linear fit with one knot.
    BrokenStick = "broken_stick", None;
    /// Variance components of one arm.
    OnewayVarcomp = "oneway_varcomp", None;
    /// Variance components of a sweep.
    TwowayVarcomp = "twoway_varcomp", None;
    /// Variance components of an unbalanced sweep from products of pairs.
    PairMomentVarcomp = "pair_moment_varcomp", None;
    /// Variance component of rounds.
    BlockVarcomp = "block_varcomp", None;
    /// Critical value under a bounded bias.
    BiasAwareCv = "bias_aware_cv", None;
    /// Smallest score difference that the evidence can tell from none.
    NoiseFloor = "noise_floor", None;
    /// Smallest detectable effect.
    Mde = "mde", None;
    /// Repeats needed for an effect.
    RequiredK = "required_k", None;
    /// Tasks needed for an effect.
    RequiredTasks = "required_tasks", None;
    /// Group-sequential boundaries.
    GsBounds = "gs_bounds", None;
    /// E-value of discordant pairs.
    EValueDiscordant = "e_value_discordant", TheseTasks;
    /// Confidence sequence of the discordant share.
    CsDiscordant = "cs_discordant", TheseTasks;
    /// Rate at a ceiling from the trials whose ceiling was at least as high.
    Direct = "direct", TheseTasks;
    /// Kaplan-Meier estimate of peaks.
    Km = "km", TheseTasks;
    /// Smallest ceiling whose rate is certified.
    SmallestCeiling = "smallest_ceiling", TheseTasks;
    /// Percentile interval from resampled tasks.
    ClusterBootstrapPct = "cluster_bootstrap_pct", UnseenTasks;
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Self::ALL
            .iter()
            .copied()
            .find(|method| method.name() == name)
            .ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// A method name that is not in the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no method is called {0:?}")]
pub struct UnknownMethod(pub String);

#[cfg(test)]
mod tests {
    use super::Method;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_read_back() {
        let names: BTreeSet<_> = Method::ALL.iter().map(|method| method.name()).collect();
        assert_eq!(names.len(), Method::ALL.len());
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(*method));
        }
        assert!("anova".parse::<Method>().is_err());
    }
}
