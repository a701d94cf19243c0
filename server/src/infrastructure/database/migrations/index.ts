import { Baseline1790000001000 } from './1000-baseline.js'
import { DestinationLegs1790000001001 } from './1001-destination-legs.js'
import { CallOutcomes1790000001002 } from './1002-call-outcomes.js'
import { RecordingRights1790000001003 } from './1003-recording-rights.js'
import { Invitations1790000001005 } from './1005-invitations.js'
import { CallFlowDrafts1790000001006 } from './1006-call-flow-drafts.js'
import { RecordingNotice1790000001007 } from './1007-recording-notice.js'
import { AwayReasons1790000001008 } from './1008-away-reasons.js'
import { VoicemailTranscripts1790000001009 } from './1009-voicemail-transcripts.js'
import { RowCounts1790000001010 } from './1010-row-counts.js'
import { SearchTexts1790000001011 } from './1011-search-texts.js'

export const migrations = [
  Baseline1790000001000,
  DestinationLegs1790000001001,
  CallOutcomes1790000001002,
  RecordingRights1790000001003,
  Invitations1790000001005,
  CallFlowDrafts1790000001006,
  RecordingNotice1790000001007,
  AwayReasons1790000001008,
  VoicemailTranscripts1790000001009,
  RowCounts1790000001010,
  SearchTexts1790000001011,
]
