import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/ai-providers/{id}/test', {
  summary: 'Open a session with an AI provider, and close it',
  description:
    'With its first model and the platform’s key. Nothing is said. Exits with 1 when it is not ready for calls.',
  examples: ['ai-provider test aip_01'],
  host: 'operator',
  isFailure: ({ error }) => error !== null,
  message: ({ model_id, took_ms, error }) =>
    error === null
      ? `${model_id} is ready for calls: it took ${String(took_ms)} ms.`
      : `${model_id} is not ready for calls: ${error}`,
})
