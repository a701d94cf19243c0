/** The prompt for the text model, and how its answer is parsed. */

/** Instructions and a greeting for a voice agent. */
export interface Draft {
  readonly instructions: string
  /** Null where the model wrote none. */
  readonly greeting_message: string | null
}

/** Contract, section Voice agent settings; in characters. */
const shortest = 10
const longest = 3_500
const longestGreeting = 250

/** System prompt of the text model. */
export const brief = `You write the instructions of a voice agent: an AI that talks with the callers of a company on the telephone.
The customer tells you what the voice agent is for. Write instructions that a speech model can follow:
- Who it is and which company it speaks for, what it can and cannot do, what it has to ask for, and when it is done.
- It is heard, not read: short sentences, one question at a time, no lists, no formatting, digits read one by one.
- It never makes up facts. Where the customer gave none, it says that it does not know, or offers a transfer.
- It may have the tools transfer_call, end_call, hold_call and collect_digits. Speak of one only where it is needed.
- Write in the language in which the customer writes, and name the language that callers are to be spoken to.
Answer with one JSON object and nothing else:
{"instructions": "<${shortest} to ${longest} characters, better below 2,500>", "greeting_message": "<what it says first, at most ${longestGreeting} characters>"}
When the customer asks for a change, answer with the whole object again.`

/** Reads the model's answer. @returns the draft, or what is wrong with it in words that the model understands */
export function readDraft(answer: string): Draft | string {
  const object = objectIn(answer)
  if (!object) return 'The answer was not one JSON object.'
  const instructions = textOf(object['instructions'])
  if (instructions === null) return 'The answer had no text "instructions".'
  const length = [...instructions].length
  if (length < shortest || length > longest) {
    return `"instructions" had ${length} characters. It must have ${shortest} to ${longest}.`
  }
  const greeting = textOf(object['greeting_message'])
  const fits = greeting !== null && greeting !== '' && [...greeting].length <= longestGreeting
  return { instructions, greeting_message: fits ? greeting : null }
}

/** In the form of the model's answer. */
export function written({ instructions, greeting_message }: Draft): string {
  return JSON.stringify({ instructions, greeting_message: greeting_message ?? '' })
}

/** Models like to wrap their JSON in a sentence or a fence. */
function objectIn(answer: string): Record<string, unknown> | null {
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')]
  if (from === -1 || to < from) return null
  try {
    return JSON.parse(answer.slice(from, to + 1)) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Half a surrogate pair cannot be kept. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd').trim() : null
}
