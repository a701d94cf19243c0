/** Live streams, found by workspace, by subject and by call without looking at the others. */
import { type Addressed, type Subject, type Subscriber, reaches, subjectKey } from './audience.js'

interface Workspace<T> {
  /** Streams of all events of a subject. */
  readonly bySubject: Map<string, Set<T>>
  /** Streams about one call. */
  readonly byCall: Map<string, Set<T>>
}

export class StreamIndex<T extends Subscriber> {
  private readonly workspaces = new Map<string, Workspace<T>>()

  add(stream: T): void {
    const known = this.workspaces.get(stream.workspace_id)
    const workspace = known ?? { bySubject: new Map(), byCall: new Map() }
    if (!known) this.workspaces.set(stream.workspace_id, workspace)
    const [map, key] = placeOf(workspace, stream)
    const set = map.get(key)
    if (set) set.add(stream)
    else map.set(key, new Set([stream]))
  }

  remove(stream: T): void {
    const workspace = this.workspaces.get(stream.workspace_id)
    if (!workspace) return
    const [map, key] = placeOf(workspace, stream)
    const set = map.get(key)
    set?.delete(stream)
    if (set?.size === 0) map.delete(key)
    if (workspace.bySubject.size + workspace.byCall.size === 0) this.workspaces.delete(stream.workspace_id)
  }

  has(workspaceId: string): boolean {
    return this.workspaces.has(workspaceId)
  }

  /** Whether somebody has a stream about a call. */
  isWatched(workspaceId: string, callId: string): boolean {
    return this.workspaces.get(workspaceId)?.byCall.has(callId) ?? false
  }

  /** A subject's streams of all its events. */
  of(workspaceId: string, subject: Subject): ReadonlySet<T> {
    return this.workspaces.get(workspaceId)?.bySubject.get(subjectKey(subject)) ?? new Set()
  }

  /** Subjects with a stream of all their events, each once. */
  subjects(workspaceId: string): Subject[] {
    const sets = this.workspaces.get(workspaceId)?.bySubject.values() ?? []
    return [...sets].flatMap(([one]) => (one ? [{ kind: one.kind, id: one.id }] : []))
  }

  /** All streams of a workspace, those about a call last. */
  *in(workspaceId: string): Iterable<T> {
    const workspace = this.workspaces.get(workspaceId)
    if (!workspace) return
    for (const set of workspace.bySubject.values()) yield* set
    for (const set of workspace.byCall.values()) yield* set
  }

  *all(): Iterable<T> {
    for (const id of this.workspaces.keys()) yield* this.in(id)
  }

  /** The streams that get an event. */
  *reachedBy(event: Addressed): Iterable<T> {
    const workspace = this.workspaces.get(event.workspace_id)
    if (!workspace) return
    for (const set of candidates(workspace, event)) {
      for (const stream of set) if (reaches(event, stream)) yield stream
    }
  }
}

function placeOf<T>({ bySubject, byCall }: Workspace<T>, stream: Subscriber): [Map<string, Set<T>>, string] {
  return stream.call_id === null ? [bySubject, subjectKey(stream)] : [byCall, stream.call_id]
}

function* candidates<T>({ bySubject, byCall }: Workspace<T>, { to, call_id }: Addressed): Iterable<Set<T>> {
  const sets = (kind: Subject['kind'], ids: readonly string[]) =>
    ids.flatMap((id) => bySubject.get(subjectKey({ kind, id })) ?? [])
  if (to.everyAgent) yield* bySubject.values()
  else yield* sets('agent', [...new Set(to.agents)])
  if (to.clients && !to.everyAgent) yield* sets('client', [...new Set(to.clients)])
  const watchers = call_id === null ? undefined : byCall.get(call_id)
  if (watchers) yield watchers
}
