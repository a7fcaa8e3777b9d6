/** Whoever a command comes from. */
export interface Peer {
  /** Of the connection. */
  readonly id: number;
  /** The address by which the client reached this server, `host:port`. */
  readonly address: string;
  /** The name that the client gave itself in its first hello (`appName` of the connection string). */
  application?: string | undefined;
  /** Aborted when the connection is gone. */
  readonly closed: AbortSignal;
}
