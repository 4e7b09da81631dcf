"""The nouns of ffibench as frozen typed values.

Values only: nothing here measures, reads a file or starts a process. Units stand in names
(`wall_ns`, `seconds_max`); everything from `Plan` on is written to and read from the run file.
"""

from ffibench.model.audit import Audit, AuditVerdict, CalledFunction, CountedSlice
from ffibench.model.contestant import BASELINE, CONTROL, PAIR, Contestant, Lock
from ffibench.model.costs import BindingCosts, BindingParts, Spread, WorkerCosts
from ffibench.model.crossing import Crossing, CrossingFunction, HeaderKinds, RefusedFunction
from ffibench.model.experiment import (
    Accepted,
    Call,
    Case,
    Delivery,
    Effort,
    Experiment,
    Extension,
    Figure,
    Library,
    LibraryFile,
    LibrarySources,
    Mode,
    Parameter,
    Receipt,
    Returns,
    Role,
    SliceKind,
    Value,
    WheelLibrary,
)
from ffibench.model.files import UsedFile
from ffibench.model.finding import Finding
from ffibench.model.host import Conditions, Disturbance, Host, HostSample, InterpreterBuild
from ffibench.model.numbers import NUMBER_MAX
from ffibench.model.plan import (
    LibraryIdentity,
    Plan,
    PlannedCase,
    PlannedWorker,
    Unavailable,
)
from ffibench.model.progress import Progress
from ffibench.model.run import (
    SCHEMA_VERSION,
    Clocks,
    Ending,
    Round,
    Run,
    RunFile,
    Slice,
    Usage,
    WorkerRecord,
)
from ffibench.model.summary import Comparison, Row, RunWarning, Speed

__all__ = [
    "BASELINE",
    "CONTROL",
    "NUMBER_MAX",
    "PAIR",
    "SCHEMA_VERSION",
    "Accepted",
    "Audit",
    "AuditVerdict",
    "BindingCosts",
    "BindingParts",
    "Call",
    "CalledFunction",
    "Case",
    "Clocks",
    "Comparison",
    "Conditions",
    "Contestant",
    "CountedSlice",
    "Crossing",
    "CrossingFunction",
    "Delivery",
    "Disturbance",
    "Effort",
    "Ending",
    "Experiment",
    "Extension",
    "Figure",
    "Finding",
    "HeaderKinds",
    "Host",
    "HostSample",
    "InterpreterBuild",
    "Library",
    "LibraryFile",
    "LibraryIdentity",
    "LibrarySources",
    "Lock",
    "Mode",
    "Parameter",
    "Plan",
    "PlannedCase",
    "PlannedWorker",
    "Progress",
    "Receipt",
    "RefusedFunction",
    "Returns",
    "Role",
    "Round",
    "Row",
    "Run",
    "RunFile",
    "RunWarning",
    "Slice",
    "SliceKind",
    "Speed",
    "Spread",
    "Unavailable",
    "Usage",
    "UsedFile",
    "Value",
    "WheelLibrary",
    "WorkerCosts",
    "WorkerRecord",
]
