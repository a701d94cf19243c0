import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { ApiError, type JackfieldClient } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { usageError } from '../../lib/usage-error.js'

/** Bytes a request: a slow line has a deadline for each range, not for the whole file. */
const partBytes = 4_000_000

interface Part {
  bytes: Uint8Array
  /** Size of the whole file. */
  size: number
  /** The server's file name. */
  name: string
}

export default class RecordingDownload extends BaseCommand {
  static override summary = 'Download a recording'
  static override examples = examplesOf([
    'recording download rec_01 --workspace acme',
    'recording download rec_01 --workspace acme --output call.wav',
  ])
  static override args = { id: Args.string({ description: 'id of the recording', required: true }) }
  static override flags = {
    ...workspaceFlag,
    output: Flags.string({ description: 'file to write; named after the call without', helpValue: '<file>' }),
  }

  async run() {
    const { args, flags } = await this.parse(RecordingDownload)
    const api = await this.workspaceApi(flags)
    const first = await partOf(api, args.id, 0)
    const path = flags.output ?? first.name
    const file = await open(path, 'wx').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw usageError(`${path} is there already: name another --output`)
      throw error
    })
    try {
      await file.writeFile(first.bytes)
      let written = first.bytes.length
      while (written < first.size) {
        const { bytes } = await partOf(api, args.id, written)
        await file.writeFile(bytes)
        written += bytes.length
      }
    } finally {
      await file.close()
    }
    this.logToStderr(`${path}: ${first.size} bytes`)
    return { file: path, size: first.size }
  }
}

async function partOf(api: JackfieldClient, id: string, from: number): Promise<Part> {
  const { data, error, response } = await api.GET('/recordings/{id}/content', {
    params: { path: { id } },
    parseAs: 'arrayBuffer',
    headers: { Range: `bytes=${from}-${from + partBytes - 1}` },
  })
  if (!data) throw new ApiError(response.status, error)
  const header = (name: string) => response.headers.get(name) ?? ''
  const bytes = new Uint8Array(data)
  const size = Number(/\/(\d+)$/.exec(header('content-range'))?.[1] ?? bytes.length)
  const [, name = `${id}.wav`] = /filename="([^"]+)"/.exec(header('content-disposition')) ?? []
  return { bytes, size, name: basename(name) }
}
