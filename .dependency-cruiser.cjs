/**
 * The floors of server/src: each imports those below it alone, types included.
 * Adapters know channels, registrations and texts on the wire, never workspaces, calls or messages.
 */
const floors = ['bin', 'app', 'features', 'adapters', 'infrastructure', 'config', 'lib']
const inServer = (names) => `^server/src/(${names.join('|')})/`

const downwards = floors.slice(1).map((floor, index) => ({
  name: `${floor}-knows-nothing-above`,
  severity: 'error',
  from: { path: inServer([floor]) },
  to: { path: inServer(floors.slice(0, index + 1)) },
}))

/** The rooms of calls, each of which imports those before it only, types included. */
const roomsOfCalls = [
  'model',
  'limits',
  'routing',
  'dialling',
  'queue',
  'bridge',
  'media-streams',
  'clients',
  'script',
  'session',
  'recovery',
  'running',
  'cluster',
  'api',
  'live-board',
]
const calls = '^server/src/features/calls/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomsOfCalls.slice(0, -1).map((room, index) => ({
      name: `calls-${room}-knows-no-later-room`,
      comment: 'in calls, a room imports those before it only',
      severity: 'error',
      from: { path: `${calls}${room}/` },
      to: { path: `${calls}(${roomsOfCalls.slice(index + 1).join('|')})/` },
    })),
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
    ...downwards,
    {
      name: 'database-is-the-ground',
      severity: 'error',
      from: { path: '^server/src/infrastructure/database/' },
      to: { path: '^server/src/infrastructure/(http|http-client)/' },
    },
    {
      name: 'adapters-stand-alone',
      comment:
        'they know neither the API nor tables, nor each other; the description of a kind of SMS carrier says the shapes of its settings',
      severity: 'error',
      from: {
        path: '^server/src/(adapters/|infrastructure/http-client/)',
        pathNot: '^server/src/adapters/sms/(.+\\.schema|kinds/[^/]+/index)\\.ts$',
      },
      to: { path: '^server/src/infrastructure/(http|database)/' },
    },
    {
      name: 'adapters-know-no-other',
      severity: 'error',
      from: { path: '^server/src/adapters/([^/]+)/' },
      to: { path: '^server/src/adapters/', pathNot: '^server/src/adapters/$1/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'it plays the switch: it must not share the code that it is there to test',
      severity: 'error',
      from: { path: '^server/src/sandbox/' },
      to: { path: inServer(floors) },
    },
    {
      name: 'only-the-sandbox-plays-the-switch',
      severity: 'error',
      from: { path: inServer(floors) },
      to: { path: '^server/src/sandbox/' },
    },
    {
      name: 'routes-are-leaves',
      comment: 'features talk through services, never through routes',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/app/modules/' },
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
