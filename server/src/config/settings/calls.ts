/** Settings of calls, messages, voice agents and their files. */
import { choice, integer, price, setting, text } from './kinds.js'

export const calls = {
  calls: {
    ring_timeout: integer(
      5,
      300,
      'seconds that an outbound call may ring, made by POST /calls/make or by a phone',
      60,
    ),
    max_concurrent: integer(1, 1_000_000, 'calls that a workspace may have at once', 100),
    max_per_second: integer(1, 10_000, 'calls that a workspace may begin in a second', 20),
    max_concurrent_per_account: integer(
      1,
      10_000,
      'calls that the phones of a SIP account may make at once',
      10,
    ),
    app_grace: integer(5, 300, 'seconds for which an app without its socket keeps its leg of a call', 30),
    default_fee_per_minute: price('USD per minute of a newly connected number', 0.01),
    credit_held_seconds: integer(1, 600, 'seconds of a call for which credit is held in advance', 60),
  },
  messages: {
    default_fee_per_segment: price('USD per segment of a text that a newly connected number sends', 0.01),
    default_fee_per_mms: price('USD per message with files that a newly connected number sends', 0.03),
    max_media_mb: integer(1, 100, 'megabytes that the files of a message may have together', 5),
    opt_out: choice(
      ['true', 'false'],
      'whether STOP, START and HELP are obeyed and answered; false where the carriers do that',
      'true',
    ),
    give_up_after: integer(60, 604_800, 'seconds for which a message is offered to carriers', 86_400),
    failover_after: integer(
      1,
      86_400,
      'seconds that a carrier may be down before its messages go to the next carrier of their number',
      30,
    ),
    delivery_window: integer(
      60,
      2_592_000,
      'seconds after which a sent message without a receipt becomes undelivered',
      259_200,
    ),
  },
  media: {
    directory: text(
      'directory of audio, recordings, pictures and files of messages; a path without blanks',
      'var/media',
    ),
    tts_voice: text('espeak-ng voice of actions that name none', 'en'),
    storage_mb: integer(
      1,
      1_000_000_000,
      'megabytes of files (audios, recordings, files of messages, pictures of agents) that a workspace may store, unless its max_storage_mb says otherwise',
      51_200,
    ),
    tts_cache_mb: integer(
      10,
      1_000_000,
      'megabytes of rendered speech that are cached; the workspace that uses most is evicted first',
      1024,
    ),
  },
  recordings: {
    directory: text('directory of recordings; empty: recordings/kept in the media directory', ''),
    retention_days: integer(
      0,
      36_500,
      'days that recordings are kept unless the workspace says otherwise; 0: for ever',
      0,
    ),
    s3_bucket: text('S3 bucket for recordings and files of messages, instead of the disk; empty: none', ''),
    s3_endpoint: setting(
      'an http or https URL',
      (value) => (/^(https?:\/\/[^\s/]+\/?)?$/.test(value) ? value : undefined),
      'address of the S3 server, such as MinIO, Ceph or Garage; empty: Amazon',
      '',
    ),
    s3_region: text('region of the bucket', 'us-east-1'),
    s3_access_key: text('access key id of S3, which must be allowed to put, get and delete objects', ''),
    s3_secret_key: text('secret access key of S3', ''),
    s3_path_style: choice(
      ['true', 'false'],
      'whether the bucket is in the path of URLs instead of the host; false for Amazon',
      'true',
    ),
  },
  voice_agents: {
    silence_seconds: integer(
      3,
      600,
      'seconds of silence after which a voice agent asks whether the caller is there',
      10,
    ),
    default_model: setting(
      '1 to 100 characters',
      (value) => (value.length > 0 && value.length <= 100 ? value : undefined),
      'id of the AI model of new voice agents, if a provider offers it; otherwise the first model on offer',
      'gpt-realtime',
    ),
  },
} as const
