/**
 * The import directions of the design: app → features → (http, switch, edge, carriers, media) → database.
 * `switch`, `edge` and `carriers` know channels, registrations and texts, never workspaces, calls or messages.
 */
const features = [
  'resources',
  'workspaces',
  'agents',
  'auth',
  'tokens',
  'me',
  'presence',
  'teams',
  'sip-trunks',
  'phone-numbers',
  'rates',
  'alerts',
  'sip-accounts',
  'extensions',
  'calls',
  'media',
  'recordings',
  'retention',
  'call-flows',
  'callbacks',
  'contacts',
  'voice-agents',
  'ai-providers',
  'push',
  'devices',
  'webhooks',
  'stream',
  'servers',
  'cells',
  'messages',
  'conversations',
  'operator',
  'metrics',
  'tracing',
  'maintenance',
  'sip-capture',
]
const layers = ['http', 'http-client', 'mail', 'storage', 'switch', 'edge', 'carriers', 'database']
const inServer = (names) => `^server/src/(${names.join('|')})/`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'of types neither: a type that two files need is in a file of its own',
      severity: 'error',
      from: { pathNot: '^server/src/sandbox/' },
      to: { circular: true },
    },
    {
      name: 'no-circular-in-the-sandbox',
      comment: 'what a simulated channel consists of knows its type',
      severity: 'error',
      from: { path: '^server/src/sandbox/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-app-knows-all',
      comment: 'nothing imports the wiring',
      severity: 'error',
      from: { path: inServer([...features, ...layers, 'sandbox']) },
      to: { path: '^server/src/((app|main|migrate|entities|print-openapi)\\.ts$|wiring/)' },
    },
    {
      name: 'layers-know-no-features',
      severity: 'error',
      from: { path: inServer(layers) },
      to: { path: inServer(features) },
    },
    {
      name: 'database-is-the-ground',
      severity: 'error',
      from: { path: inServer(['database']) },
      to: { path: inServer(['http', 'http-client', 'switch', 'edge', 'carriers']) },
    },
    {
      name: 'links-stand-alone',
      comment:
        'they know channels, registrations, texts and URLs, and neither the API nor tables; the description of a kind of SMS carrier says the shapes of its settings',
      severity: 'error',
      from: {
        path: inServer(['switch', 'edge', 'carriers', 'http-client']),
        pathNot: '^server/src/carriers/(.+\\.schema|kinds/[^/]+/index)\\.ts$',
      },
      to: { path: inServer(['http', 'database']) },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'it plays the switch: it must not share the code that it is there to test',
      severity: 'error',
      from: { path: inServer(['sandbox']) },
      to: { path: inServer([...features, ...layers]) },
    },
    {
      name: 'routes-are-leaves',
      comment: 'features talk through services, never through routes',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/wiring/' },
      to: { path: '\\.routes\\.ts$' },
    },
    {
      name: 'design-knows-no-features',
      comment: 'in the console, what all pages share knows none of them',
      severity: 'error',
      from: { path: '^console/src/(design|api|i18n|live|media)/' },
      to: { path: '^console/src/(features|app)/' },
    },
    {
      name: 'clients-use-the-api',
      comment: 'CLI, console and SDK call the API; they do not import the server',
      severity: 'error',
      from: { path: '^(cli|console|sdk)/src/' },
      to: { path: '^server/' },
    },
    {
      name: 'product-knows-no-installer',
      comment:
        'the installer starts the product, on machines and in images that the product knows nothing of',
      severity: 'error',
      from: { path: '^(server|cli|console|sdk)/src/' },
      to: { path: '^installer/' },
    },
    {
      name: 'sdk-and-console-are-for-browsers',
      severity: 'error',
      from: { path: '^(console|sdk)/src/' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
}
