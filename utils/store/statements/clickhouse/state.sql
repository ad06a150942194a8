-- What there is of the builds up to :last; the first number is the last of them.
SELECT maxIf(id, id <= :last), countIf(id <= :last), sumIf(version, id <= :last),
       countIf(id > :last AND version > 1)
FROM build_versions FINAL;
SELECT count(), sum(build_key) FROM builds WHERE id <= :last;
