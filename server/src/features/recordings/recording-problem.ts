/** Why a recording cannot begin, in words for the call's timeline. */
export class RecordingProblem extends Error {}
