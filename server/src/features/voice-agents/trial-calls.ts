/** Test calls: a manager talks with a version of a voice agent in the browser, as a caller would. */
import { credentialOf } from '../auth/credentials.js'
import { callerOf } from '../calls/api/calling-manager.js'
import type { AppCallDesk, MadeAppCall } from '../calls/session/app-call-desk.js'
import { ownKey } from '../../infrastructure/database/idempotency.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { ManagingActor } from '../../infrastructure/http/endpoint.js'
import { badRequest, invalidField } from '../../infrastructure/http/errors.js'
import type { VoiceAgentVersions } from './voice-agent-versions.service.js'
import type { VoiceAgentService } from './voice-agent.service.js'

interface Services {
  desk: AppCallDesk
  voiceAgents: Pick<VoiceAgentService, 'get'>
  versions: Pick<VoiceAgentVersions, 'find'>
}

export class TrialCalls {
  constructor(private readonly services: Services) {}

  /**
   * Accepts a call that connects its app with a voice agent, and ends with that.
   * @param asked a version; the published one by default
   * @throws 400 no such version, 403 and 429 as {@link AppCallDesk.make}, 404 no such voice agent
   */
  async make(
    workspace: Owner,
    actor: ManagingActor,
    voiceAgentId: string,
    asked: number | undefined,
    idempotencyKey: string | undefined,
  ): Promise<MadeAppCall> {
    const { desk, voiceAgents } = this.services
    const agent = await voiceAgents.get(workspace, voiceAgentId)
    const version = await this.versionOf(workspace, agent, asked)
    const { name, ...person } = callerOf(actor)
    const app = { ...person, credential: credentialOf(actor), isVideo: false }
    const request = { voice_agent_id: agent.id, version: asked }
    const key = idempotencyKey && ownKey('voice agent', person.sub, idempotencyKey)
    return desk.make(workspace, app, request, key, async () =>
      Promise.resolve({
        ...{ from: null, goesTo: null },
        ...{ from_number: name, from_name: name, to_number: agent.name, to_name: agent.name },
        agent_id: actor.kind === 'agent' ? actor.id : null,
        client_sub: actor.kind === 'agent' ? null : person.sub,
        program: 'script',
        script: [{ action: 'connect_voice_agent', params: { voice_agent_id: agent.id, version } }],
        ...{ call_flow_id: null, call_flow_version_id: null },
      }),
    )
  }

  private async versionOf(
    workspace: Owner,
    { id, published_version }: { id: string; published_version: number | null },
    asked: number | undefined,
  ): Promise<number> {
    const version = asked ?? published_version
    if (version === null) throw badRequest('No version is published: name one')
    if (await this.services.versions.find(workspace, id, version)) return version
    throw invalidField('version', `version ${version} is not a version of this voice agent`)
  }
}
