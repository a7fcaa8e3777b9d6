import { randomUUID } from 'node:crypto';
import { raw, type Request } from 'express';
import {
  BankLineState,
  ListBankLinesRequest,
  type ImportStatementRequest,
  type ImportStatementResponse,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { validationError } from '@invoicing/errors';
import { newCallContext } from '@invoicing/rpc';
import { faultsOf, noFaults, operationOf, type Faults } from '../pages/form-request';
import { cursorOf, doneNotice, idOf } from '../pages/list-request';
import { fieldsOf, fileOf } from '../pages/multipart';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { bankPage, importedPage, importPage, statementsPage, stateOf } from './bank-pages';

const LISTED = 50;
/** A year of a busy account; what is larger is imported in parts, or by the command line. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Whoever imports waits so long for the end of it; what takes longer goes on, and its page shows how far it is. */
const PATIENCE_MS = 4_000;
const IMPORT_MS = 600_000;
const ACTION = 'banking.write';

/** Statements of the bank: taken in, and what became of their lines. */
export const bankRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listLines(peers, part);
    importStatements(peers, part);
  };

function listLines({ bankStatements }: Peers, part: Part): void {
  part.get(
    '/bank',
    async (place, request, response) => {
      const { organizationId } = place;
      const state = stateOf(request.query['state']);
      const asked = { organizationId, state: state.value, limit: LISTED, cursor: cursorOf(request) };
      const [{ lines, cursor }, { gaps }] = await Promise.all([
        bankStatements.listBankLines(ListBankLinesRequest.fromPartial(asked), place.call()),
        bankStatements.listBankStatements({ organizationId }, place.call()),
      ]);
      const notice = doneNotice(request, place.t);
      show(response, place, bankPage(place, { lines, cursor, gaps, notice, state: state.name }));
    },
    ACTION,
  );

  part.get(
    '/bank/statements',
    async (place, _request, response) => {
      const { organizationId } = place;
      show(
        response,
        place,
        statementsPage(place, await bankStatements.listBankStatements({ organizationId }, place.call())),
      );
    },
    ACTION,
  );
}

function importStatements(peers: Peers, part: Part): void {
  part.get(
    '/bank/import',
    (place, _request, response) => show(response, place, importPage(place, noFaults, randomUUID())),
    ACTION,
  );

  const read = raw({ type: 'multipart/form-data', limit: MAX_FILE_BYTES });
  part.post(
    '/bank/import',
    async (place, request, response) => {
      // Read only here, of whoever may: every other form is small.
      await new Promise<void>((resolve, reject) =>
        read(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve())),
      );
      if (Buffer.isBuffer(request.body)) request.body = await fieldsOf(request.body, request.get('content-type') ?? '');
      const operation = operationOf(request);
      try {
        const done = await inPatience(take(peers, place, request, operation));
        show(response, place, importedPage(place, operation, done ?? (await linesSoFar(peers, place, operation))));
      } catch (error) {
        const faults = faultsOf(place, error);
        if (!faults) throw error;
        show(response, place, importPage(place, atFile(faults), operation), 400);
      }
    },
    ACTION,
  );

  part.get(
    '/bank/imports/:id',
    async (place, request, response) => {
      const importId = idOf(request.params['id']);
      show(response, place, importedPage(place, importId, await linesSoFar(peers, place, importId)));
    },
    ACTION,
  );
}

/** What a file is refused for stands beside it. */
const atFile = ({ fields, notice }: Faults): Faults => ({
  fields: { file: [...Object.values(fields), ...(notice ? [notice.text] : [])].join('; ') },
  notice: undefined,
});

/** The same file again, or the same press twice, takes in nothing twice. */
function take(
  { bankStatements }: Peers,
  place: Workplace,
  request: Request,
  operation: string,
): Promise<ImportStatementResponse> {
  const file = fileOf(request, 'file');
  if (!file) throw validationError([{ path: '/file', message: 'is required' }]);
  return bankStatements.importStatement(pieces(place.organizationId, file), {
    ...place.call(operation),
    deadline: newCallContext(IMPORT_MS).deadline,
  });
}

async function* pieces(organizationId: string, file: Uint8Array): AsyncIterable<ImportStatementRequest> {
  for (let from = 0; from < file.length; from += PIECE_BYTES)
    yield { organizationId, content: Buffer.from(file.subarray(from, from + PIECE_BYTES)) };
}

/** Undefined: it is not done yet, and goes on. */
async function inPatience<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)));
  // Whoever has left imports the file again, and is told what is wrong with it then: what was taken in is known.
  work.catch(() => undefined);
  return Promise.race([work, patience]).finally(() => clearTimeout(timer));
}

async function linesSoFar({ bankStatements }: Peers, { organizationId, call }: Workplace, importId: string) {
  const asked = { organizationId, importId, state: BankLineState.UNSPECIFIED, limit: LISTED };
  return bankStatements.listBankLines({ ...asked, cursor: undefined }, call());
}
