//! Containers and clusters: only what lists, as development tools, because it asks a service.

pub(super) const TABLE: &str = "
@list = -aqsl -n= -f= --all --quiet --size --latest --last= --filter= --format= --no-trunc --digests --help

[docker podman] =
ps|container ls|container ps|container list = dev nothing @list
images|image ls|image list = dev text @list
network ls|volume ls|context ls|system df|compose ls = dev nothing -qv --verbose --quiet --filter= --format=
    --no-trunc
version|info = dev nothing -f= --format=
compose ps|compose images = dev text -aq --all --quiet --services --format= --filter= --status=

[kubectl] = -n= --namespace=
get = dev text kubectl_get -A -n= -o= -l= -L= --all-namespaces --namespace= --output= --selector= --field-selector=
    --show-labels --no-headers --sort-by= --label-columns= --ignore-not-found --show-kind --chunk-size=
    --show-managed-fields !-w !--watch !--watch-only !-f !--filename !-k !--kustomize !--raw !--template
version = dev nothing -o= --client[=] --short --output=
api-resources|api-versions|cluster-info = dev nothing -o= --output=
";
