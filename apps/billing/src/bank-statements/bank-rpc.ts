import { randomUUID } from 'node:crypto';
import {
  BankStatementsService,
  type ImportStatementRequest,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { notFoundError, validationError } from '@invoicing/errors';
import { bindService, listLimit, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import { answerLine, findLine, undoLine } from './answer-line';
import type { BankPorts } from './bank-ports';
import { fromState, toLine, toStatement } from './bank-proto';
import { gapsOfAccounts, importStatement } from './import-statement';

const LIST = { usual: 100, most: 1_000 };

/** Statements of bank accounts: taken in, asked about, answered. */
export function bankStatementsService(ports: BankPorts): BoundService {
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const owner = async (organizationId: string, lineId: string, { caller }: ServerCallContext): Promise<string> => {
    if (organizationId !== '' || caller !== 'admin') return organizationId;
    const found = await ports.bankLines.organizationOf(lineId);
    if (found === undefined) throw notFoundError('the line');
    return found;
  };
  return bindService(
    BankStatementsService,
    {
      importStatement: async (requests, call) => {
        const { organizationId, file } = await opened(requests);
        const importId = call.operationId ?? randomUUID();
        const done = await importStatement(ports, organizationId, file, { id: importId, by: call.by });
        return { ...done, importId, statements: done.statements.map(toStatement), gaps: [...done.gaps] };
      },
      listBankLines: async ({ organizationId, state, importId, limit, cursor }) => {
        const wanted = { limit: listLimit(limit, LIST), cursor };
        const { items, next } = await ports.bankLines.page(
          organizationId,
          { state: fromState(state), importId },
          wanted,
        );
        return { lines: items.map(toLine), cursor: next };
      },
      getBankLine: async ({ organizationId, lineId }) => toLine(await findLine(ports, organizationId, lineId)),
      listBankStatements: async ({ organizationId }) => ({
        statements: (await ports.bankStatements.of(organizationId)).map(toStatement),
        gaps: await gapsOfAccounts(ports, organizationId),
      }),
      answerBankLine: async ({ organizationId, lineId, ...answer }, call) =>
        toLine(await answerLine(ports, await owner(organizationId, lineId, call), lineId, answer, operation(call))),
      undoBankLine: async ({ organizationId, lineId, reason }, call) =>
        toLine(await undoLine(ports, await owner(organizationId, lineId, call), lineId, reason, operation(call))),
    },
    {
      importStatement: { callers: ['application', 'admin'], action: 'banking.write' },
      listBankLines: { callers: ['application', 'admin'], action: 'banking.write' },
      getBankLine: { callers: ['application'], action: 'banking.write' },
      listBankStatements: { callers: ['application', 'admin'], action: 'banking.write' },
      answerBankLine: { callers: ['application', 'admin'], action: 'banking.write' },
      undoBankLine: { callers: ['application', 'admin'], action: 'banking.write' },
    },
  );
}

const operation = ({ operationId = randomUUID(), by }: ServerCallContext) => ({ id: operationId, by });

/** Whose file it is, from the first message, and its bytes from all. */
async function opened(requests: AsyncIterable<ImportStatementRequest>) {
  const rest = requests[Symbol.asyncIterator]();
  const { value: first } = (await rest.next()) as IteratorResult<ImportStatementRequest, undefined>;
  if (!first?.organizationId) throw validationError([{ path: '/organizationId', message: 'is required' }]);
  const { organizationId, content } = first;
  return { organizationId, file: bytesOf(organizationId, content, rest) };
}

async function* bytesOf(
  organizationId: string,
  content: Uint8Array,
  rest: AsyncIterator<ImportStatementRequest>,
): AsyncIterable<Uint8Array> {
  yield content;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    // Who may send it was decided for the first.
    if (next.value.organizationId !== '' && next.value.organizationId !== organizationId)
      throw validationError([{ path: '/organizationId', message: 'must stay the same' }]);
    yield next.value.content;
  }
}
