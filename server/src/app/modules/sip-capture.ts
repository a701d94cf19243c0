/** The SIP of calls, captured at the edge. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { CaptureRemovals } from '../../features/sip-capture/capture-removals.js'
import { CaptureReceiver } from '../../features/sip-capture/capture-receiver.js'
import { CaptureStore } from '../../features/sip-capture/capture-store.js'
import { SipCaptureService } from '../../features/sip-capture/sip-capture.service.js'
import type { Core } from './core.js'

export function wireSipCapture(config: Config, log: Logger, { database }: Core) {
  const { port, directory, max_mb, kept_hours, hep_address } = config.sip_capture
  const store = new CaptureStore(
    {
      directory: directory || join(config.media.directory, 'sip-capture'),
      ...{ maxBytes: max_mb * 1_048_576, retainedMs: kept_hours * 3_600_000 },
    },
    log,
  )
  const [, host = '', homerPort = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(hep_address) ?? []
  const homer = hep_address ? { host, port: Number(homerPort) } : null
  const receiver = new CaptureReceiver({ port, homer }, store, log)
  const removals = new CaptureRemovals({
    ...{ database, store, log },
    isOn: port !== 0,
    retainedMs: kept_hours * 3_600_000,
  })
  return { store, receiver, removals, sipCapture: new SipCaptureService({ database, store, receiver }) }
}

export type SipCapture = ReturnType<typeof wireSipCapture>
