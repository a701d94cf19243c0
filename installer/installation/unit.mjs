/** The systemd unit of the supervisor, which runs the parts. */
import { ROOT } from '../settings.mjs'
import { EXIT_CONFIG, STOP_ALL_MS } from '../state.mjs'

/**
 * One unit instead of one for each part: the supervisor knows the parts' dependencies, readiness and how to stop each
 * without losing calls, and the same code works without systemd.
 * @param {import('./places.mjs').Places} places
 * @param {string} node path of the node program
 * @param {readonly string[]} folders with write access besides the state
 * @returns {string}
 */
export function unitText({ user, state }, node, folders = []) {
  return `# Written by \`jackfield install\`, which overwrites it: put changes into ${'`'}systemctl edit jackfield${'`'}.
[Unit]
Description=Jackfield voice and messaging platform
Documentation=file:${ROOT}/docs/operate/appliance.md
Wants=network-online.target
After=network-online.target time-sync.target
# waits for a database or an address that is late, as after a power cut
StartLimitIntervalSec=0

[Service]
# ready when every part is: the supervisor's child notifies systemd
Type=notify
NotifyAccess=all
User=${user}
Group=${user}
WorkingDirectory=${ROOT}
Environment=JACKFIELD_HOME=${state}
ExecStart=${node} ${ROOT}/installer/supervisor.mjs
Restart=on-failure
# short: parts that die meanwhile are not restarted
RestartSec=2
# wrong settings: a restart does not help
RestartPreventExitStatus=${EXIT_CONFIG}
# the OOM killer ends only the part that uses the memory, not the others with their calls
OOMPolicy=continue
# the supervisor has a timeout for each part, and hours for migrations
TimeoutStartSec=infinity
# the supervisor stops the parts in order, each gracefully; an upgrade leaves those that carry calls
KillMode=process
ExecStopPost=${node} ${ROOT}/installer/installation/after-end.mjs
TimeoutStopSec=${STOP_ALL_MS / 1000 + 5}
SyslogIdentifier=jackfield

LimitNOFILE=65536
TasksMax=infinity
UMask=0027

# ports below 1024, and no other privilege
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${[state, ...folders].join(' ')}
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes

[Install]
WantedBy=multi-user.target
`
}
