/** The microphones of this computer, and why one is not to be had. */

/** A key of a text, for what keeps the page from the microphone. */
export type MicrophoneProblem = 'insecure' | 'denied' | 'missing' | 'busy'

export class MicrophoneError extends Error {
  constructor(readonly problem: MicrophoneProblem) {
    super(`the microphone is ${problem}`)
  }
}

/** Opens a microphone. @param deviceId the browser's own choice without @throws {MicrophoneError} */
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

/** Where sound can be played; empty in browsers that do not let a page choose. */
export async function speakers(): Promise<MediaDeviceInfo[]> {
  if (!('setSinkId' in HTMLMediaElement.prototype)) return []
  return devicesOf('audiooutput')
}

/** Those that there are; their names are known only once the person has let the page use one. */
export async function microphones(): Promise<MediaDeviceInfo[]> {
  return devicesOf('audioinput')
}

async function devicesOf(wanted: MediaDeviceKind): Promise<MediaDeviceInfo[]> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  const all = (await devices?.enumerateDevices()) ?? []
  return all.filter(({ kind, deviceId }) => kind === wanted && deviceId !== '')
}
