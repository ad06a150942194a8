"""What a compile's environment needs for kill-timer.c."""


def kill_timer(Preload, Counter, Event=None, DelayNs=0):
    """Makes the file Counter, in which the events are counted. With Event, SIGKILL
    comes DelayNs after it begins."""
    with open(Counter, "wb") as File:
        File.write(bytes(8))
    # One reading of that clock is one event, unless lines are watched; of the processor's
    # counter none is seen.
    Variables = {"LD_PRELOAD": Preload, "KILL_COUNTER": Counter, "INSTANTRACE_CLOCK": "monotonic",
                 "INSTANTRACE_EVENTS": "-line"}
    if Event is not None:
        Variables.update(KILL_EVENT=str(Event), KILL_DELAY_NS=str(DelayNs))
    return Variables
