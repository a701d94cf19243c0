import type { MigrationInterface, QueryRunner } from 'typeorm'
import { callFlows } from './baseline/call-flows.js'
import { calls } from './baseline/calls.js'
import { contacts } from './baseline/contacts.js'
import { conversations } from './baseline/conversations.js'
import { credit } from './baseline/credit.js'
import { evaluations } from './baseline/evaluations.js'
import { flowReferences } from './baseline/flow-references.js'
import { kamailio } from './baseline/kamailio.js'
import { messages } from './baseline/messages.js'
import { numbers } from './baseline/numbers.js'
import { people } from './baseline/people.js'
import { platform } from './baseline/platform.js'
import { rates } from './baseline/rates.js'
import { sounds } from './baseline/sounds.js'
import { trunks } from './baseline/trunks.js'
import { voiceAgents } from './baseline/voice-agents.js'
import { webhooks } from './baseline/webhooks.js'
import { workspaces } from './baseline/workspaces.js'

/** All tables and views of version 0.1; each file of the folder has those of a feature. A table comes after those that it names. */
const statements: readonly string[] = [
  ...rates,
  ...workspaces,
  ...credit,
  ...platform,
  ...people,
  ...trunks,
  ...callFlows,
  ...numbers,
  ...sounds,
  ...voiceAgents,
  ...evaluations,
  ...calls,
  ...contacts,
  ...messages,
  ...conversations,
  ...webhooks,
  ...flowReferences,
  ...kamailio,
]

/**
 * The first migration: it makes a whole database. A database that the migrations before it made (`before-baseline.ts`) has the
 * same tables, and counts as being here.
 */
export class Baseline1790000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  /** @throws always: there is no version before it to go back to */
  async down(): Promise<void> {
    await Promise.reject(new Error('the baseline cannot be undone: drop the database'))
  }
}
