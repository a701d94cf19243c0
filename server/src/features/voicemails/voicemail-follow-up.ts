/**
 * What follows a voicemail that is stored: it is transcribed, where a provider can and the workspace wants it, and then
 * mailed to the agents who want that. Both are jobs of the outbox: a voicemail of a killed server is mailed by the next one.
 */
import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { transcribeFile, transcribedRate } from '../../adapters/speech/cascaded/file-transcriber.js'
import { SpeechModelError } from '../../adapters/speech/speech-model.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { isMailGivenUp, mailJobs } from '../../infrastructure/mail/mail-jobs.js'
import type { Attachment, Mailer } from '../../infrastructure/mail/mailer.js'
import type { TranscriptionProviders } from '../ai-providers/speech-providers.js'
import { decode } from '../recordings/decode.js'
import type { Recording } from '../recordings/recording.entity.js'
import type { RecordingService } from '../recordings/recording.service.js'
import { voicemailMail } from './voicemail-mail.js'
import { type VoicemailRecipient, voicemailRecipients } from './voicemail-recipients.js'

interface Parts {
  database: Database
  recordings: () => Pick<RecordingService, 'file' | 'setTranscript'>
  providers: TranscriptionProviders
  /** Whether the workspace has its voicemails transcribed. */
  isTranscribed(workspace: Owner): Promise<boolean>
  /** Tells those whose voicemail it is. */
  changed(workspaceId: string, callId: string): void
  mailer: Mailer
  urls: PublicUrls
  log: Logger
}

interface Payload {
  recording_id: string
}

const transcribeJob = 'voicemail.transcribe'
const mailJob = 'voicemail.mail'

const transcribing = {
  ...{ concurrency: 2, turns: { ofOwner: 1 }, leaseMs: 30_000, renewed: true },
  retryMs: (attempts: number) => Math.min(5_000 * 2 ** attempts, 120_000),
}

/** The mail waits no longer for a transcript: milliseconds from the voicemail. */
const longestTranscriptionMs = 900_000

/** A mail that no server has taken by then is given up. */
const longestMailMs = 86_400_000
const longestMailPauseMs = 300_000

/** What is transcribed of a long voicemail: 29 MB of samples. */
const transcribedSeconds = 900

/** Many servers take mails of 10 MB at most, in base64. */
const maxAttachedBytes = 7_000_000

export class VoicemailFollowUp {
  private readonly transcriber: OutboxWorker
  private readonly mails: OutboxWorker
  private readonly stopping = new AbortController()

  constructor(private readonly parts: Parts) {
    const { database, log } = parts
    this.transcriber = new OutboxWorker(
      database,
      transcribeJob,
      async (job) => this.transcribe(job),
      transcribing,
      log,
    )
    this.mails = new OutboxWorker(
      database,
      mailJob,
      async (job) => this.send(job),
      mailJobs(longestMailPauseMs),
      log,
    )
  }

  start(): void {
    this.transcriber.start()
    this.mails.start()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all([this.transcriber.stop(), this.mails.stop()])
  }

  /** In the transaction that makes a voicemail ready. */
  async received(tx: EntityManager, { id, workspace_id, call_id }: Recording): Promise<void> {
    const payload: Payload = { recording_id: id }
    await addJob(tx, {
      ...{ id: newId('job'), kind: transcribeJob, workspace_id, payload },
      created_at: new Date(),
    })
    afterCommit(tx, () => {
      this.transcriber.wake()
      this.parts.changed(workspace_id, call_id)
    })
  }

  private async transcribe({ workspace_id, payload, created_at, id: job }: Job): Promise<void> {
    const { recording_id } = payload as Payload
    const workspace = { id: workspace_id }
    const text = await this.textOf(workspace, recording_id).catch((error: unknown) => {
      const isLate = Date.now() - created_at.getTime() > longestTranscriptionMs
      const isRefused = error instanceof SpeechModelError && error.kind === 'refused'
      if (this.stopping.signal.aborted || (!isLate && !isRefused)) throw error
      this.parts.log.warn(
        { event: 'voicemail.transcription_given_up', err: error, job, recording: recording_id },
        'the transcription of a voicemail is given up',
      )
      return ''
    })
    await this.parts.database.transaction(async (tx) => {
      if (text !== '') await this.keep(tx, workspace, recording_id, text)
      if (!this.parts.mailer.isConfigured) return
      for (const { agent_id } of await voicemailRecipients(tx, workspace, recording_id)) {
        await addJob(tx, {
          ...{ id: newId('job'), kind: mailJob, workspace_id },
          ...{ payload: { recording_id, agent_id }, created_at: new Date() },
        })
      }
      afterCommit(tx, () => this.mails.wake())
    })
  }

  private async keep(tx: EntityManager, workspace: Owner, id: string, text: string): Promise<void> {
    const callId = await this.parts.recordings().setTranscript(tx, workspace, id, text)
    if (callId !== null) afterCommit(tx, () => this.parts.changed(workspace.id, callId))
  }

  /** @returns empty when nothing was said, or there is nothing that transcribes it */
  private async textOf(workspace: Owner, id: string): Promise<string> {
    const { providers, recordings } = this.parts
    if (!(await this.parts.isTranscribed(workspace))) return ''
    const service = await providers.transcription(workspace)
    const file = service && (await recordings().file(workspace, id))
    if (!file) return ''
    const samples = await decode(file.content, {
      ...{ workspaceId: workspace.id, rate: transcribedRate, seconds: transcribedSeconds },
    })
    return transcribeFile(service, samples, this.stopping.signal)
  }

  /** Sends the mail, unless the voicemail is deleted or the agent wants none any more. */
  private async send({ workspace_id, payload, created_at, id: job }: Job): Promise<void> {
    const { recording_id, agent_id } = payload as Payload & { agent_id: string }
    const workspace = { id: workspace_id }
    const { source } = this.parts.database
    const recipients = await voicemailRecipients(source.manager, workspace, recording_id, agent_id)
    for (const recipient of recipients) {
      try {
        await this.parts.mailer.send(await this.mailTo(workspace, recording_id, recipient))
      } catch (error) {
        if (!isMailGivenUp(error, { created_at }, longestMailMs)) throw error
        this.parts.log.warn(
          { event: 'voicemail.mail_given_up', err: error, job },
          'the mail of a voicemail is given up',
        )
      }
    }
  }

  private async mailTo(workspace: Owner, recordingId: string, recipient: VoicemailRecipient) {
    const { email: to, display_name: displayName, from_number, from_name, team, ...voicemail } = recipient
    return voicemailMail({
      ...{ to, displayName, team },
      from: { number: from_number, name: from_name },
      seconds: (voicemail.duration_ms ?? 0) / 1000,
      transcript: voicemail.transcript,
      link: this.parts.urls.page(workspace.id, '/voicemails'),
      sound:
        (voicemail.size_bytes ?? 0) > maxAttachedBytes ? null : await this.attached(workspace, recordingId),
    })
  }

  private async attached(workspace: Owner, id: string): Promise<Attachment | null> {
    const file = await this.parts.recordings().file(workspace, id)
    if (!file) return null
    const { filename, type, content } = file
    return { filename, contentType: type, content: await buffer(content) }
  }
}
