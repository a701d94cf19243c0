/**
 * ExecStopPost of the unit. Calls of a killed supervisor go on until systemd has
 * started the next one, which takes over its parts; parts left for the next version stay. All others are ended: systemd
 * itself ends only the supervisor (KillMode=process).
 */
import { readSettings } from '../settings.mjs'
import { EXIT_CONFIG, markOrphaned, readState, stopAppliance } from '../state.mjs'

/** Exit reasons of systemd.exec(5): after a requested stop, or a stop timeout, systemd does not restart the unit. */
const { SERVICE_RESULT: result = 'success', EXIT_STATUS: status } = process.env
const isStartedAgain = !['success', 'timeout'].includes(result) && status !== String(EXIT_CONFIG)

const { home } = readSettings()
const isLeft = readState(home)?.phase === 'left'
if (!isLeft && !(isStartedAgain && markOrphaned(home))) await stopAppliance(home)
