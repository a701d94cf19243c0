/** Workspaces, as the operator has them. */
import { operatorResource } from '../../infrastructure/resources/resource.js'
import { CreateWorkspace, UpdateWorkspace, WorkspaceQuery, WorkspaceShape } from './workspace.schema.js'

export const workspaceResource = operatorResource({
  ...{ path: '/workspaces', noun: 'workspace', tag: 'Operator' },
  shape: WorkspaceShape,
  list: { query: WorkspaceQuery },
  show: {},
  create: { body: CreateWorkspace, errors: { 409: 'The id is taken or reserved' } },
  update: {
    body: UpdateWorkspace,
    summary: 'Change a workspace and what its calls may be',
    description: 'Limits hold for the calls that begin from then on; other servers see them within seconds.',
  },
  delete: {
    summary: 'Delete a workspace and all that belongs to it',
    description:
      'Nothing of it can be used from the answer on. Its rows and files are removed in the background; until that is over, which takes moments for a small workspace, its id is taken.',
    errors: { 409: 'Calls are running' },
  },
})
