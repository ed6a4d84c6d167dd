/** Folder, user and ports of a single-node Swift. */
export interface SwiftPlace {
  readonly folder: string;
  readonly user: string;
  readonly ports: {
    readonly proxy: number;
    readonly object: number;
    readonly container: number;
    readonly account: number;
  };
}

/** The three servers behind the proxy. */
export const swiftStores = ['object', 'container', 'account'] as const;
export type SwiftStore = (typeof swiftStores)[number];

/** Credentials of the only user: S3 key and secret. */
export const SWIFT_KEY = 'test:tester';
export const SWIFT_SECRET = 'testing';

/** Hash path and the only storage policy. */
export const swiftConf = `[swift-hash]
swift_hash_path_prefix = testprefix
swift_hash_path_suffix = testsuffix
[storage-policy:0]
name = default
default = yes
`;

/** One storage server; without workers it serves from its own process, and so stops with it. */
export function storeConf(store: SwiftStore, { folder, user, ports }: SwiftPlace): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports[store]}
user = ${user}
swift_dir = ${folder}/etc
devices = ${folder}/srv
mount_check = false
disable_fallocate = true
workers = 0
log_name = ${store}
[pipeline:main]
pipeline = ${store}-server
[app:${store}-server]
use = egg:swift#${store}
${store === 'object' ? 'mb_per_sync = 4096\n' : ''}`;
}

/** The proxy with the S3 interface; its cache points at a port where nothing answers, so it works without one. */
export function proxyConf({ folder, user, ports }: SwiftPlace): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports.proxy}
user = ${user}
swift_dir = ${folder}/etc
workers = 0
log_name = proxy
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = true
min_segment_size = 5242880
max_upload_part_num = 10000
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SWIFT_SECRET} .admin
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
[filter:dlo]
use = egg:swift#dlo
`;
}
