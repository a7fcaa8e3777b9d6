#!/bin/sh
# Certificates for mTLS between the services: an authority, and for each identity a key and a certificate whose common name is the
# identity. Run again to renew the certificates; the authority stays.
#
#   deploy/make-certificates.sh <folder> [identity…]
#
# A process gets TLS_CERT_FILE=<folder>/<identity>.crt TLS_KEY_FILE=<folder>/<identity>.key TLS_CA_FILE=<folder>/ca.crt.
# Keep ca.key away from the machines that run the services.
set -eu

folder=${1:?usage: make-certificates.sh <folder> [identity…]}
shift
[ $# -gt 0 ] || set -- gateway billing catalog checkout notification application admin platform-billing
authority_days=3650
certificate_days=397

umask 077
mkdir -p "$folder"

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }

if [ ! -f "$folder/ca.key" ]; then
  new_key "$folder/ca.key"
  openssl req -x509 -new -key "$folder/ca.key" -out "$folder/ca.crt" -days "$authority_days" -sha256 \
    -subj '/CN=invoicing services' -addext 'basicConstraints=critical,CA:true,pathlen:0' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign'
fi

for identity in "$@"; do
  new_key "$folder/$identity.key"
  # A service is reached by its name (compose, Kubernetes) or on this machine.
  cat >"$folder/$identity.ext" <<END
basicConstraints=critical,CA:false
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:$identity,DNS:localhost,IP:127.0.0.1
END
  openssl req -new -key "$folder/$identity.key" -subj "/CN=$identity" -out "$folder/$identity.csr"
  openssl x509 -req -in "$folder/$identity.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial \
    -days "$certificate_days" -sha256 -extfile "$folder/$identity.ext" -out "$folder/$identity.crt" 2>/dev/null
  rm "$folder/$identity.csr" "$folder/$identity.ext"
done

echo "certificates in $folder: $*"
