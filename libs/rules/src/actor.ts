/**
 * Who did it, as a document keeps it beside its change: a signed-in person (`id` of the user), an API key (`id` of the key), an operator
 * (name on the machine, as the command line says it) or a service by itself (its name).
 */
export interface Actor {
  readonly kind: 'user' | 'key' | 'operator' | 'service';
  readonly id: string;
  /** How people know them, as it was then: a name, the visible start of a key. */
  readonly label?: string | undefined;
}

/** Without what is not known of them: the driver would store it as null. */
export const knownActor = ({ kind, id, label }: Actor): Actor => ({ kind, id, ...(label !== undefined && { label }) });
