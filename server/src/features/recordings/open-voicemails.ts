/** Voicemails that an agent is done with because they have talked to the caller since. */
import { type EntityManager, In, IsNull, LessThan, Not } from 'typeorm'
import { Recording } from './recording.entity.js'

interface Talk {
  readonly workspace_id: string
  /** One of them is the caller's. */
  readonly numbers: readonly string[]
  /** When the talk's call began: it answers earlier voicemails. */
  readonly since: Date
  readonly agentId: string
  readonly at: Date
}

/** @returns the ids of the calls whose voicemails these were */
export async function answerVoicemails(
  tx: EntityManager,
  { workspace_id, numbers, since, agentId, at }: Talk,
): Promise<string[]> {
  const { affected } = await tx.update(
    Recording,
    {
      ...{ workspace_id, kind: 'voicemail', from_number: In([...numbers]), done_at: IsNull() },
      ...{ status: Not('failed'), created_at: LessThan(since) },
    },
    { done_at: at, done_by: agentId },
  )
  if (!affected) return []
  const done = await tx.find(Recording, {
    select: { call_id: true },
    where: { workspace_id, kind: 'voicemail', from_number: In([...numbers]), done_at: at, done_by: agentId },
  })
  return done.map(({ call_id }) => call_id)
}
