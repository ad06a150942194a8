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
Names, Entities, Sets, Events = ["%s/t.h" % Folder], [], [], []
for Name, Count, Ms in Templates:
    Names.append(Name + "<$>")
    Set = len(Names)
    for I in range(int(Count)):
        Names.append("%s<%d>" % (Name, I))
        Entities.append(len(Names))
        Sets.append(Set)
        # Begin of the next new entity at the next new location or the same one;
        # an end that is a definition.
        Events += [4, 0, 1, 1, 33, int(Ms) * 1000000 // int(Count)]


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
print("packet { events { first_entity: 1 first_location: 1 record: %s } %s }"
      % ([128, 0, 0, 0] + Events + [1, 2000000], Id))
print("packet { footer { exit_state: EXIT_STATE_SUCCESS end_time_ns: 60000000000 events_recorded: %d } %s }"
      % (2 * len(Entities) + 2, Id))
