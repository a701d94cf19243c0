/** Microphones of this computer, and why one cannot be opened. */

/** Text key of the reason. */
export type MicrophoneProblem = 'insecure' | 'denied' | 'missing' | 'busy'

export class MicrophoneError extends Error {
  constructor(readonly problem: MicrophoneProblem) {
    super(`the microphone is ${problem}`)
  }
}

/** Opens a microphone. @param deviceId default: the browser's choice @throws {MicrophoneError} */
export async function openMicrophone(deviceId?: string): Promise<MediaStream> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices) throw new MicrophoneError('insecure')
  try {
    return await devices.getUserMedia({
      audio: {
        echoCancellation: true,
        noiseSuppression: true,
        ...(deviceId && { deviceId: { ideal: deviceId } }),
      },
    })
  } catch (error) {
    throw new MicrophoneError(problemOf(error))
  }
}

function problemOf(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}

/** Output devices; empty in browsers that do not let a page choose. */
export async function speakers(): Promise<MediaDeviceInfo[]> {
  if (!('setSinkId' in HTMLMediaElement.prototype)) return []
  return devicesOf('audiooutput')
}

/** Available microphones; browsers reveal their names only after access was granted. */
export async function microphones(): Promise<MediaDeviceInfo[]> {
  return devicesOf('audioinput')
}

async function devicesOf(wanted: MediaDeviceKind): Promise<MediaDeviceInfo[]> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  const all = (await devices?.enumerateDevices()) ?? []
  return all.filter(({ kind, deviceId }) => kind === wanted && deviceId !== '')
}
