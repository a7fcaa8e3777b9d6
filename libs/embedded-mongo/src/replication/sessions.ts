import { Binary } from 'bson';
import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { typeName } from '../bson/type-name';

/** As MongoDB's localLogicalSessionTimeoutMinutes. */
export const sessionTimeoutMinutes = 30;
const maxSessions = 1_000_000;

interface Session {
  id: Doc;
  lastUse: number;
}

/** The logical sessions that clients use; forgotten half an hour after their last command. */
export class Sessions {
  private readonly open = new Map<string, Session>();

  /** A command came in a session: its key. */
  use(lsid: Value): string {
    const key = sessionKey(lsid);
    const known = this.open.get(key);
    if (known) known.lastUse = Date.now();
    else {
      if (this.open.size >= maxSessions) this.sweep();
      if (this.open.size >= maxSessions)
        throw new CommandError(
          'TooManyLogicalSessions',
          `Unable to add session into the cache: ${maxSessions} are open`,
        );
      this.open.set(key, { id: (lsid as Doc).id as Doc, lastUse: Date.now() });
    }
    return key;
  }

  end(lsid: Value): string {
    const key = sessionKey(lsid);
    this.open.delete(key);
    return key;
  }

  sweep(now = Date.now()): void {
    for (const [key, { lastUse }] of this.open)
      if (now - lastUse > sessionTimeoutMinutes * 60_000) this.open.delete(key);
  }

  list(): Doc[] {
    return [...this.open.values()].map(({ id, lastUse }) => ({ _id: { id, uid: noUser }, lastUse: new Date(lastUse) }));
  }
}

/** The digest of the empty user name, as mongod without authentication lists it. */
const noUser = new Binary(Buffer.from('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'base64'));

/** A session by the 16 bytes of its UUID, in hexadecimal. */
export function sessionKey(lsid: Value): string {
  if (!isDoc(lsid))
    throw new CommandError(
      'TypeMismatch',
      `BSON field 'lsid' is the wrong type '${typeName(lsid)}', expected type 'object'`,
    );
  const { id } = lsid;
  if (!(id instanceof Binary))
    throw new CommandError(
      'TypeMismatch',
      `BSON field 'lsid.id' is the wrong type '${typeName(id)}', expected type 'binData'`,
    );
  if (id.sub_type !== Binary.SUBTYPE_UUID || id.position !== 16)
    throw new CommandError('InvalidUUID', 'uuid must be a 16-byte binary field with UUID (4) subtype');
  return Buffer.from(id.value()).toString('hex');
}
