/** Notifications, where neither the phone nor a page's buttons are. Those sent before this is loaded wait in the store. */
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export default function Notices() {
  return <Notifications position="top-center" limit={4} />
}
