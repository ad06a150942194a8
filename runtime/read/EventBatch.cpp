#include "runtime/read/EventBatch.h"

#include "runtime/read/FieldReader.h"

using namespace instantrace;
using protozero::pbf_reader;

BatchStart instantrace::readBatchStart(pbf_reader Batch) {
  using Field = schema::EventBatch;
  BatchStart Start{0, 0, 0, 0, 0};
  readFields(Batch, into(Field::FirstTimeNs, Start.TimeNs),
             into(Field::FirstInterval, Start.Interval),
             into(Field::FirstEntity, Start.Entity),
             into(Field::FirstLocation, Start.Location),
             into(Field::Depth, Start.Depth));
  return Start;
}

std::optional<std::string_view> instantrace::nextRecords(pbf_reader &Batch) {
  while (Batch.next()) {
    if (Batch.tag_and_type() == schema::EventBatch::Record.tag())
      return readView(Batch);
    Batch.skip();
  }
  return std::nullopt;
}
