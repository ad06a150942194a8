"""Writes a trace as text: build.py FOLDER INPUT TEMPLATE:SPECIALIZATIONS:MS...

Each template is defined in /FOLDER/t.h, so many times, in the given time all
together. Another 2 ms are the frontend's own.
"""
import sys

Folder, Input = sys.argv[1:3]
Templates = [T.split(":") for T in sys.argv[3:]]
Id = "sequence_id: 1"
print('packet { file_header { magic: "instantrace" format_major: 1 format_minor: 2 } %s }' % Id)
print('packet { session { input: "%s" working_directory: "%s" object: "a.o" } %s }' % (Input, Folder, Id))
Names, Entities, Sets, Events, Time = ["%s/t.h" % Folder], [], [], [], 0
for Name, Count, Ms in Templates:
    Names.append(Name + "<$>")
    Set = len(Names)
    for I in range(int(Count)):
        Names.append("%s<%d>" % (Name, I))
        Entities.append(len(Names))
        Sets.append(Set)
        Number = len(Entities)
        Events.append("begin { kind: TemplateInstantiation entity_id: %d location_id: %d }" % (Number, Number))
        Time += int(Ms) * 1000000 // int(Count)
        Events.append("end { time_ns: %d definition: true }" % Time)


def deltas(Values):
    return [B - A for A, B in zip([0] + Values, Values)]


print("packet { dictionary { first_id: 1")
for Name in Names:
    print('entry { marked_name: "%s" }' % Name)
print("} %s }" % Id)
Zeros = [0] * len(Entities)
print("packet { entities { first_id: 1 name: %s template_set: %s declared_at: %s kind: %s } %s }"
      % (deltas(Entities), deltas(Sets), Zeros, [1] * len(Entities), Id))
print("packet { locations { first_id: 1 file: %s line: %s column: %s } %s }"
      % ([1] * len(Entities), [1] * len(Entities), [3] * len(Entities), Id))
print("packet { events { begin { kind: Frontend }")
print("\n".join(Events))
print("end { time_ns: %d } } %s }" % (Time + 2000000, Id))
print("packet { footer { exit_state: EXIT_STATE_SUCCESS end_time_ns: 60000000000 events_recorded: %d } %s }"
      % (2 * len(Entities) + 2, Id))
