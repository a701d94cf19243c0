/** The certificate keeper, with Kamailio in a container of its own. */
import { CertificateKeeper } from '../certificates/keeper.mjs'
import { kamailioOptions } from '../part-options.mjs'
import { kamailioRpc } from '../parts/kamailio-rpc.mjs'
import { readSecrets } from '../secrets.mjs'

/** @param {import('../settings.mjs').Settings} settings */
export function certificateKeeper(settings) {
  const options = kamailioOptions(settings, readSecrets(settings.home).secrets)
  return new CertificateKeeper(settings, () => kamailioRpc(options, 'tls.reload'))
}
