/** What a request of a chat looks like by OpenAI's description of it, in so far as it is used here. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly temperature?: number
  readonly tools?: readonly {
    readonly type: 'function'
    readonly function: {
      readonly name: string
      readonly description?: string
      readonly parameters?: { readonly type?: unknown }
    }
  }[]
  readonly tool_choice?: unknown
}

const known = new Set([
  ...[
    'model',
    'messages',
    'stream',
    'stream_options',
    'temperature',
    'tools',
    'tool_choice',
    'top_p',
    'stop',
  ],
  ...['max_tokens', 'max_completion_tokens', 'parallel_tool_calls', 'response_format', 'seed', 'user', 'n'],
])

/** What a request has wrong; also what only some servers mind: a tool's call without an answer. */
export function chatProblems(chat: ChatRequest): string[] {
  const problems = Object.keys(chat)
    .filter((name) => !known.has(name))
    .map((name) => `unknown field ${name}`)
  if (typeof chat.model !== 'string' || chat.model === '') problems.push('no model')
  if (!Array.isArray(chat.messages) || chat.messages.length === 0) return [...problems, 'no messages']
  if (chat.temperature !== undefined && !(chat.temperature >= 0 && chat.temperature <= 2)) {
    problems.push('temperature is not from 0 to 2')
  }
  if (chat.stream_options && !chat.stream) problems.push('stream_options without stream')
  return [...problems, ...toolProblems(chat), ...messageProblems(chat.messages)]
}

function toolProblems({ tools, tool_choice }: ChatRequest): string[] {
  if (tools === undefined) return tool_choice === undefined ? [] : ['tool_choice without tools']
  if (tools.length === 0) return ['tools is empty']
  return tools.flatMap((tool) => {
    const name = tool.function?.name
    if (tool.type !== 'function' || !/^[\w-]{1,64}$/.test(name ?? ''))
      return ['a tool without a type or a name']
    const { parameters } = tool.function
    return parameters && parameters.type !== 'object' ? [`parameters of ${name} are no object`] : []
  })
}

function messageProblems(messages: readonly ChatMessage[]): string[] {
  const problems: string[] = []
  let unanswered = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const problem = (text: string) => problems.push(`messages[${index}]: ${text}`)
    if (message.role !== 'tool' && unanswered.size > 0) {
      problem('comes before a tool is answered')
      unanswered = new Set()
    }
    if (message.role === 'tool') {
      if (!unanswered.delete(message.tool_call_id ?? '')) problem('answers no call of a tool')
      if (typeof message.content !== 'string') problem('has no content')
    } else if (message.role === 'assistant') {
      if (!message.content && !message.tool_calls?.length) problem('neither says nor calls anything')
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function' || !call.function.name || !isJson(call.function.arguments)) {
          problem('calls a tool badly')
        }
        unanswered.add(call.id)
      }
    } else if (message.role === 'system' || message.role === 'user') {
      if (typeof message.content !== 'string' || message.content === '') problem('has no content')
    } else problem('has an unknown role')
  }
  if (unanswered.size > 0) problems.push('ends before a tool is answered')
  return problems
}

function isJson(text: unknown): boolean {
  try {
    JSON.parse(String(text))
    return typeof text === 'string'
  } catch {
    return false
  }
}
