/** What the operator sees of the whole platform. */
import type { Config } from '../../config/config.js'
import { ChecklistService } from '../../features/platform/checklist.service.js'
import { operatorUrl } from '../../features/platform/operator-url.js'
import { serverFacts } from '../../features/platform/server-facts.js'
import { OperatorStatusService } from '../../features/platform/status.service.js'
import { Upkeep } from '../../features/platform/upkeep.js'
import { OperatorWork } from '../../features/platform/work.js'
import { switchStatusOf } from '../../adapters/freeswitch/switch-status.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'

/** @param operatorToken returns the token that is valid now */
export function wireOperator(
  config: Config,
  core: Core,
  { outboundGateways }: Resources,
  { carriers, carrierStatuses }: Messages,
  operatorToken: () => string,
) {
  const { database, edge, keys, servers, hub, driver, link, journal, mailer, stir } = core
  const directories = {
    state: config.home || null,
    media: config.media.directory,
    // Without a directory of their own they are within that of media; S3 has no disk to run full.
    recordings: (!config.recordings.s3_bucket && config.recordings.directory) || null,
  }
  const facts = {
    directories,
    secretKeys: () => keys.all.map(({ id }) => id),
    operatorToken,
    drivesCalls: () => driver.isHere,
    streams: () => [...hub.localStreams()].length,
  }
  const work = new OperatorWork({ database, carriers, carrierStatuses })
  const status = new OperatorStatusService({
    ...{ database, edge, servers },
    work,
    serverIds: () => hub.servers,
    facts: async () => serverFacts(facts),
    switchStatus: async () => switchStatusOf(link, journal.isKept),
    redis: () => (config.redis.url ? hub.isShared : null),
  })
  const { public_host: sip, public_rtp_host: media, public_tls_port: tlsPort } = config.edge
  const checklist = new ChecklistService({
    ...{ database, status, mailer, stir },
    addresses: { sip, media, tlsPort },
    unreachableGateways: async () => outboundGateways.unreachable(),
    pendingGateways: async () =>
      (await outboundGateways.pending(1000)).map(({ id, workspace_id, outbound_uris }) => ({
        ...{ id, workspace_id, host: outbound_uris[0]?.uri ?? '' },
      })),
    publicUrl: config.http.public_url,
    mailHost: config.mail.host,
  })
  const url = operatorUrl(config.http.public_url)
  const upkeep = new Upkeep({
    directories,
    listeners: {
      sip: sip && tlsPort ? { host: sip, port: tlsPort } : null,
      https: url.protocol === 'https:' ? { host: url.hostname, port: Number(url.port || 443) } : null,
    },
  })
  return { status, checklist, work, upkeep }
}

export type Operator = ReturnType<typeof wireOperator>
