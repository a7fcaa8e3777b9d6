import { errorTable, kindOfGrpcStatus, type ErrorKind } from './error-table';

test('every kind survives the way through gRPC with the same HTTP status', () => {
  for (const [kind, { grpc, http }] of Object.entries(errorTable)) {
    expect({ kind, http: errorTable[kindOfGrpcStatus(grpc)].http }).toEqual({ kind, http });
  }
});

test('the mapping back is total', () => {
  const kinds = new Set<ErrorKind>(Object.keys(errorTable) as ErrorKind[]);
  for (let status = 0; status <= 20; status++) expect(kinds).toContain(kindOfGrpcStatus(status));
  expect(kindOfGrpcStatus(2)).toBe('internal');
});
