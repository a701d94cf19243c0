import eslint from '@eslint/js'
import tseslint from 'typescript-eslint'

const childProcess = { name: 'child_process', message: 'import node:child_process' }

const guardedOnly = 'URLs are fetched through http-client/guarded-client.ts, which refuses private addresses'

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', 'var/', 'sdk/src/openapi.ts', '**/*.cjs'] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/promise-function-async': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An AbortSignal or a flag changes while one awaits, which the rule cannot know.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Entities are plain rows: they have no behaviour that a copy would lose.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      'no-restricted-imports': ['error', { paths: [childProcess] }],
    },
  },
  {
    // edge/ speaks to a part of our own; push/ to Apple and Google, and speech/ to what the operator set.
    files: ['server/src/**'],
    ignores: [
      ...['server/src/http-client/**', 'server/src/edge/**'],
      'server/src/push/{apns,google-token,single-try-agent}.ts',
      'server/src/voice-agents/speech/cascaded/service-link.ts',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: guardedOnly })),
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            childProcess,
            ...['node:http', 'node:https', 'http', 'https'].map((name) => ({
              name,
              importNames: ['default', 'request', 'get', 'Agent'],
              message: guardedOnly,
            })),
            ...['node:http2', 'undici', 'axios', 'got', 'node-fetch', 'ws'].map((name) => ({
              name,
              message: guardedOnly,
            })),
          ],
        },
      ],
    },
  },
  {
    // At an address that the operator set, which may well be on a private network.
    files: ['server/src/voice-agents/speech/realtime/realtime-socket.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [childProcess] }] },
  },
  {
    // A server of WebSockets asks nobody for anything.
    files: ['server/src/stream/call-socket*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [childProcess] }] },
  },
  {
    // chai's assertions are expressions, and answers of the API under test are of no type.
    files: ['**/test/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // The router's own way of sending somebody elsewhere.
    files: ['console/src/**'],
    rules: { '@typescript-eslint/only-throw-error': 'off' },
  },
  {
    files: ['console/public/**'],
    languageOptions: {
      globals: {
        ...{ document: 'readonly', localStorage: 'readonly', location: 'readonly', matchMedia: 'readonly' },
        ...{ navigator: 'readonly', sessionStorage: 'readonly' },
        ...{ addEventListener: 'readonly', removeEventListener: 'readonly' },
        ...{ HTMLLinkElement: 'readonly', HTMLScriptElement: 'readonly' },
      },
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
      },
    },
  },
)
